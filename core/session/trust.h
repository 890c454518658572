/* trust: which rules versions rest on (trust.c). */
#ifndef TRUST_H
#define TRUST_H

#include "session.h"

/* The versions, of all programs, with a step made by that rule (or its reverse): "@3, @4" in the current program, "mm@5" in
 * others, appended to out, which may be NULL. Returns how many. */
int session_made_with(const Session *s, const char *rule, Buf *out);
/* The rules that make v an assumed version, each once: "half, double", or the properties, "associative f", appended to out. Returns how many. */
int session_assumed(const Version *v, bool properties, Buf *out);
/* The rules of steps to v that take something for finite, as above. */
int session_takes_finite(const Version *v, Buf *out);
/* That rule goes by another name from now on, under which it is in the table: the steps made with it say so. */
void session_rename_rule(Session *s, const char *rule, const char *name);
/* That rule, and not its reverse, is trusted so far now: steps made with it, and the versions that rest on them, are rated
 * again; where a condition in Lua does not hold now they are assumed. Returns how many versions changed; they are appended to
 * out (may be NULL) as above. */
int session_rerate(Session *s, const char *rule, Trust trust, Buf *out);
/* Appends the versions, as above, whose own steps are assumed though that rule, with which they were made, is not; how many. */
int session_doubted(const Session *s, const Rule *rule, Buf *out);

#endif
