#define LEMAN_VECTOR_BYTES 64
#include "et/kernels/triangle_kernel.inl.hpp"

namespace leman::et {

const TriangleStages<float> triangle_avx512_f32 = stages<float>();
const TriangleStages<double> triangle_avx512_f64 = stages<double>();

}  // namespace leman::et
