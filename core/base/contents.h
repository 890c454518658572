/* contents: what tells long contents apart: 128 bits, found by all cores. */
#ifndef CONTENTS_H
#define CONTENTS_H

#include "base.h"

/* Equal contents have equal keys; others do not, unless somebody forges them. None is {0, 0}: that says that none is known. */
typedef struct ContentKey { uint64_t a, b; } ContentKey;
ContentKey content_key(const void *data, size_t bytes);
static inline bool content_key_known(ContentKey k) { return k.a | k.b; }

#endif
