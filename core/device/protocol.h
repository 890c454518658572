/* protocol: the messages between lathe and a worker process (decisions.md: The worker). Both sides use it; no driver.
 *
 * Frame: u32 total length (bytes after this word), u32 JSON length, the JSON text (UTF-8, one object), then the blobs one
 * after another; the object's "blobs" array gives their lengths in bytes. Words are little-endian. Requests carry "op" and
 * "id", replies the same "id". Contents of buffers go through the window, memory of WINDOW_BYTES that both sides have: a
 * piece begins at its beginning, and is the request's or the reply's. A worker that was started elsewhere (lathe-worker stream:
 * frames over its standard input and output) has no such memory: there a piece is the first blob of an upload, and the second of
 * the reply to a read. Behind each of its replies comes an end of line, for launchers that pass on whole lines only (srun).
 *
 * Requests; what the reply holds besides "status" (take_reply of device.c), "code" (of the driver) and blob 0, a text that may be empty:
 *   hello                                           protocol, devices [{...}]
 *   open    api platform device checker             texels [read, written]: Texels of device.h, 1 << kind, that images may have which
 *                                                   kernels read, or read and write; first of all on a device; checker: findings
 *                                                   come from OCLGRIND_LOG
 *   build   program kernels [name]; source          ms, kernels [[local, private, max group]]
 *   forget  program                                 -
 *   upload  key offset bytes total                  -; an input, in pieces in ascending order; window: the piece
 *   free    key                                     -
 *   run     program canaries transfer by_kernel buffers launches loops   ns, kernels_ns [ns], launches [of each]; one execution, which becomes the current run
 *             transfer  bits: 1 inputs are written before the launches, 2 outputs are read after them
 *             by_kernel the time of each launch is told, of those of a loop all rounds together; else there is no kernels_ns
 *             buffers  [{role, bytes, fill | fill key | of width height texels written}], an image: copied from that buffer where this was
 *                      written since, before a kernel that reads it, and to it after kernels wrote the image, before that is read;
 *                      texels: Texels of device.h; launches [{kernel, global, local, local_bytes, args}]
 *             args     ["b", buffer] ["w", an image that the kernel writes] ["v", hex bytes] ["l", local bytes] ["r", loop, bytes] (the number of its round)
 *             loops    [{around, first, step, end, rounds, test, states [[from, to, init, out, spare]]}]: LaunchLoop of device.h
 *   again   count                                   times_ns [ns], kernels_ns [[ns]]; the current run that many times more
 *   read    buffer offset bytes                     -; window: bytes of a buffer of the current run
 *   ping                                            -
 *   quit                                            no reply; so does a closed socket
 * The parent sends a request only after the reply to the one before. Before its reply a run answers GOES_ON whenever another of its
 * kernels has ended for the first time; the limit of the wait begins anew.
 *
 * LATHE_WORKER_WAIT=MS in the worker's environment: every execution waits so long, and its time says so. A device that is slower, for
 * measurements and tests of what happens meanwhile.
 * LATHE_WORKER_DEVICE='{"name": "another", "units": 7}': processors say so of themselves in their hello, for tests that must hold on
 * whatever machine. */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#include <jansson.h>

#include "base.h"

enum { PROTOCOL_VERSION = 9 };
#define GOES_ON "goes_on"
enum { FRAME_MAX = 0x7fffffff, FRAME_HEAD_MAX = 64 << 20 };      /* whole frame, its JSON */
enum { FRAME_BLOBS_MAX = 64 };
enum { WINDOW_BYTES = 8 << 20 };         /* caches hold it until the other side has read it */

typedef struct Blob {
    void *data;
    size_t bytes;
} Blob;

typedef struct Frame {
    json_t *head;             /* owned reference */
    int blob_count;
    Blob *blobs;              /* owned, malloc */
} Frame;

static inline int64_t get_int(const json_t *o, const char *key) { return json_integer_value(json_object_get(o, key)); }
static inline const char *get_text(const json_t *o, const char *key) { return json_string_value(json_object_get(o, key)); }
void frame_free(Frame *f);    /* leaves {0}; a {0} frame is fine */
/* Send head and blobs. head gains "blobs". False: the other side is gone (errno tells), or does not read within the
 * socket's SO_SNDTIMEO. Never raises SIGPIPE. */
bool frame_send(int fd, json_t *head, const Blob *blobs, int blob_count);
typedef enum { FRAME_OK, FRAME_CLOSED, FRAME_TIMEOUT, FRAME_BAD } FrameStatus;
/* Receive one frame, waiting at most timeout_ms in all (negative: for ever). FRAME_BAD: not our protocol. After anything
 * but FRAME_OK the stream is of no further use, and *out is {0}. */
FrameStatus frame_receive(int fd, int timeout_ms, Frame *out);

#endif
