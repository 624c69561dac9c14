#define LEMAN_VECTOR_BYTES 16
#include "et/kernels/triangle_kernel.inl.hpp"

namespace leman::et {

const TriangleStages<float> triangle_portable_f32 = stages<float>();
const TriangleStages<double> triangle_portable_f64 = stages<double>();

}  // namespace leman::et
