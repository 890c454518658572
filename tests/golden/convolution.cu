__global__ void convolution(float *out, int w)
{
    out[blockIdx.x * block_size_x + threadIdx.x] = w;
}
