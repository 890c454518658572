/* worker_image: images, which have the content of other memories of a run. */
#include "worker_private.h"

static const cl_channel_type texel_kinds[] = {CL_FLOAT, CL_SIGNED_INT32, CL_UNSIGNED_INT32};

void op_texels(Worker *w, const json_t *q, Reply *r)
{
    enum { FORMATS = 1024 };
    cl_image_format formats[FORMATS];
    cl_uint n = 0;
    json_t *kinds = json_array();
    (void)q;
    json_object_set_new(r->head, "kinds", kinds);
    if (clGetSupportedImageFormats(w->context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, FORMATS, formats, &n)) return;
    for (int k = 0; k < COUNT(texel_kinds); k++)
        for (cl_uint i = 0; i < n && i < FORMATS; i++)
            if (formats[i].image_channel_order == CL_RGBA && formats[i].image_channel_data_type == texel_kinds[k])
                json_array_append_new(kinds, json_integer(k));
}

bool image_refresh(Worker *w, int index, cl_event *event, Reply *r)
{
    Memory *all = w->run.memories, *m = &all[index];
    const size_t origin[3] = {0}, region[3] = {m->width, m->height, 1};
    if (!m->is_image || m->copied_from == all[m->of].stands_for) return true;
    m->copied_from = all[m->of].stands_for;
    int code = clEnqueueCopyBufferToImage(w->queue, all[m->copied_from].mem, m->mem, 0, origin, region, 0, NULL, event);
    return !code || reply_fail(r, failed_or_lost(w, "run_failed"), code, "buffer %d cannot be copied to image %d", m->copied_from, index);
}

void images_forget(Worker *w, int index)
{
    Memory *all = w->run.memories;
    for (int i = 0; i < w->run.memory_count; i++)
        if (all[i].is_image && all[i].copied_from == all[index].stands_for) all[i].copied_from = -1;
}

bool image_make(Worker *w, const json_t *j, int index, Memory *m, Reply *r)
{
    int code = 0;
    int64_t of = get_int(j, "of"), width = get_int(j, "width"), height = get_int(j, "height"), kind = get_int(j, "texels");
    if (of < 0 || of >= index || width < 1 || height < 1 || kind < 0 || kind >= COUNT(texel_kinds)) return reply_malformed(r);
    if (w->run.memories[of].bytes < (size_t)width * (size_t)height * 16) return reply_malformed(r);
    cl_image_format format = {CL_RGBA, texel_kinds[kind]};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = (size_t)width, .image_height = (size_t)height};
    m->mem = clCreateImage(w->context, CL_MEM_READ_ONLY, &format, &desc, NULL, &code);
    m->is_image = m->owned = true;
    m->of = (int)of;
    m->copied_from = -1;
    m->width = desc.image_width;
    m->height = desc.image_height;
    bool input = !w->run.memories[of].owned && w->run.memories[of].mem;         /* its copy is no part of the time */
    if (m->mem) return !input || image_refresh(w, index, NULL, r);
    return reply_fail(r, failed_or_lost(w, "run_failed"), code, "no room on the device for image %d of %zu x %zu texels", index, m->width, m->height);
}
