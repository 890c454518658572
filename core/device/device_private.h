/* device_private: what device_list.c (the devices of the machine) and device.c (one device) share. Not for anybody else. */
#ifndef DEVICE_PRIVATE_H
#define DEVICE_PRIVATE_H

#include "device.h"
#include "process.h"

char *device_text(const char *s);                 /* a copy, malloc; of NULL: "" */
DeviceInfo device_info_copy(const DeviceInfo *i);
void device_info_free(DeviceInfo *i);

#endif
