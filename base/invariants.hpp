// Whether types verify their invariants whenever they are built: in debug and sanitizer builds.
#pragma once

namespace leman {

#ifdef LEMAN_INVARIANTS
inline constexpr bool kCheckInvariants = true;
#else
inline constexpr bool kCheckInvariants = false;
#endif

}  // namespace leman
