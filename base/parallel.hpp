// A loop over 0 .. count-1 on several threads. Results must go to places that depend on the
// index alone; then they do not depend on the number of threads.
//
// The threads live as long as the process: a loop of a few microseconds does not wait for a
// thread to be made, and thread-local buffers are found again. The calling thread works, too, and
// waits only for indices that others have begun, so that loops may be nested to any depth.
#pragma once

#include <cstddef>

namespace leman {

unsigned default_threads();  // as many as the process may use processors

namespace detail {
using Body = void(void* context, std::size_t index);
void parallel_run(std::size_t count, unsigned threads, Body* body, void* context);
}  // namespace detail

// Once all have ended, the exception of the first index that failed is thrown again. Indices
// begin in order, so that it is the same for any number of threads.
template <class Function>
void parallel_for(std::size_t count, unsigned threads, Function function) {
  if (threads <= 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) function(i);
    return;
  }
  detail::parallel_run(
      count, threads, [](void* context, std::size_t index) { (*static_cast<Function*>(context))(index); }, &function);
}

}  // namespace leman
