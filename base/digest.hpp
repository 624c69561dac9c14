// Digests: what two files or texts are compared by when only one of them is at hand. They protect
// against mix-ups, not against an adversary.
#pragma once

#include <string>
#include <string_view>

namespace leman {

std::string digest(std::string_view bytes);        // XXH3, 128 bits, as 32 hexadecimal digits
std::string file_digest(const std::string& file);  // of its contents; throws InputError

// FNV-1a, 64 bits, as 16 digits: what run stores of format 1 hold.
std::string legacy_digest(std::string_view bytes);

}  // namespace leman
