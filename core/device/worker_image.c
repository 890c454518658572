/* worker_image: images, which have the content of other memories of a run. */
#include "worker_private.h"

static const cl_channel_type texel_kinds[] = {CL_FLOAT, CL_SIGNED_INT32, CL_UNSIGNED_INT32};

int texels_known(const Worker *w, cl_mem_flags use)
{
    enum { FORMATS = 1024 };
    cl_image_format formats[FORMATS];
    cl_uint n = 0;
    int kinds = 0;
    if (clGetSupportedImageFormats(w->context, use, CL_MEM_OBJECT_IMAGE2D, FORMATS, formats, &n)) return 0;
    for (int k = 0; k < COUNT(texel_kinds); k++)
        for (cl_uint i = 0; i < n && i < FORMATS; i++)
            if (formats[i].image_channel_order == CL_RGBA && formats[i].image_channel_data_type == texel_kinds[k]) kinds |= 1 << k;
    return kinds;
}

static void copied(Events *events, cl_event event)
{
    if (events) vec_push(&events->v, ((Started){.event = event}));
    else clReleaseEvent(event);
}

static bool copy_back(Worker *w, int index, Events *events, Reply *r)
{
    Memory *all = w->run.memories, *m = &all[index];
    if (m->newer < 0) return true;
    const Memory *image = &all[m->newer];
    const size_t origin[3] = {0}, region[3] = {image->width, image->height, 1};
    cl_event event = NULL;
    int code = clEnqueueCopyImageToBuffer(w->queue, image->mem, m->mem, origin, region, 0, 0, NULL, &event), from = m->newer;
    if (!reply_ok(r, code, "image %d cannot be copied to buffer %d", from, index)) return false;
    m->newer = -1;
    copied(events, event);
    return true;
}

bool memory_refresh(Worker *w, int index, Events *events, Reply *r)
{
    Memory *all = w->run.memories, *m = &all[index];
    if (!m->is_image) return copy_back(w, m->stands_for, events, r);
    const size_t origin[3] = {0}, region[3] = {m->width, m->height, 1};
    int of = all[m->of].stands_for;
    cl_event event = NULL;
    if (m->copied_from == of) return true;
    if (!copy_back(w, of, events, r)) return false;
    int code = clEnqueueCopyBufferToImage(w->queue, all[of].mem, m->mem, 0, origin, region, 0, NULL, &event);
    if (!reply_ok(r, code, "buffer %d cannot be copied to image %d", of, index)) return false;
    m->copied_from = of;
    copied(events, event);
    return true;
}

void images_forget(Worker *w, int index)
{
    Memory *all = w->run.memories;
    for (int i = 0; i < w->run.memory_count; i++)
        if (all[i].is_image && all[i].copied_from == all[index].stands_for) all[i].copied_from = -1;
}

void image_was_written(Worker *w, int index)
{
    Memory *all = w->run.memories;
    int of = all[all[index].of].stands_for;
    images_forget(w, all[index].of);
    all[index].copied_from = of;
    all[of].newer = index;
}

bool image_make(Worker *w, const json_t *j, int index, Memory *m, Reply *r)
{
    int code = 0;
    int64_t of = get_int(j, "of"), width = get_int(j, "width"), height = get_int(j, "height"), kind = get_int(j, "texels");
    if (of < 0 || of >= index || width < 1 || height < 1 || kind < 0 || kind >= COUNT(texel_kinds)) return reply_malformed(r);
    if (w->run.memories[of].bytes < (size_t)width * (size_t)height * 16) return reply_malformed(r);
    cl_image_format format = {CL_RGBA, texel_kinds[kind]};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = (size_t)width, .image_height = (size_t)height};
    cl_mem_flags use = json_is_true(json_object_get(j, "written")) ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY;
    m->mem = clCreateImage(w->context, use, &format, &desc, NULL, &code);
    m->is_image = m->owned = true;
    m->of = (int)of;
    m->copied_from = -1;
    m->width = desc.image_width;
    m->height = desc.image_height;
    bool input = !w->run.memories[of].owned && w->run.memories[of].mem;         /* its copy is no part of the time */
    return reply_ok(r, code, "no room on the device for image %d of %zu x %zu texels", index, m->width, m->height)
           && (!input || memory_refresh(w, index, NULL, r));
}
