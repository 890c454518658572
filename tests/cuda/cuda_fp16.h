/* cuda_fp16: halves for programs on this processor; see cuda_runtime.h. */
#ifndef CUDA_FP16_H
#define CUDA_FP16_H

#include <math.h>
#include <stdint.h>

struct __half { uint16_t bits; };

static double half_value(__half h)
{
    int e = h.bits >> 10 & 31, m = h.bits & 1023;
    double v = e == 31 ? m ? NAN : INFINITY : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
    return h.bits >> 15 ? -v : v;
}

static __half __double2half(double x)
{
    int sign = signbit(x) ? 0x8000 : 0, e;
    double a = fabs(x);
    if (isnan(x)) return {(uint16_t)(sign | 0x7e00)};
    frexp(a, &e);                                                    /* a < 2^e */
    double unit = ldexp(1, (e < -13 ? -13 : e) - 11), r = nearbyint(isinf(a) ? 0 : a / unit) * unit;
    if (isinf(a) || r >= 65520) return {(uint16_t)(sign | 0x7c00)};
    if (r == 0) return {(uint16_t)sign};
    frexp(r, &e);
    if (e < -13) return {(uint16_t)(sign | (int)(r * 0x1p24))};
    return {(uint16_t)(sign | (e + 14) << 10 | ((int)ldexp(r, 11 - e) & 1023))};
}

static __half __float2half_rn(float x) { return __double2half(x); }
static float __half2float(__half h) { return (float)half_value(h); }
static __half __hadd_rn(__half a, __half b) { return __double2half(half_value(a) + half_value(b)); }
static __half __hsub_rn(__half a, __half b) { return __double2half(half_value(a) - half_value(b)); }
static __half __hmul_rn(__half a, __half b) { return __double2half(half_value(a) * half_value(b)); }
static __half __hfma(__half a, __half b, __half c) { return __double2half(half_value(a) * half_value(b) + half_value(c)); }
static __half __hneg(__half a) { return {(uint16_t)(a.bits ^ 0x8000)}; }

#endif
