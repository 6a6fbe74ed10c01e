// The numbers of the device service's protocol, made of its Go file protocol.go by go generate.
#pragma once

// Version is the version of the protocol, pageSize that of memory that is shared.
enum {
  DEV_VERSION = 8,
  DEV_PAGE_SIZE = 4096,
};

// The operations: the package comment has their fields.
enum dev_op {
  OP_HELLO = 1,
  OP_ALLOC = 2,
  OP_FREE = 3,
  OP_SHARE = 4,
  OP_UNSHARE = 5,
  OP_LOAD = 6,
  OP_UNLOAD = 7,
  OP_LAUNCH = 8,
  OP_COPY = 9,
  OP_FILL = 10,
  OP_RECORD = 11,
  OP_QUERY = 12,
  OP_FORGET = 13,
  OP_WAIT = 14,
  OP_INFO = 15,
  OP_RESET = 16,
  OP_BUILD = 17,
  OP_COMPILE = 18,
  OP_DISPATCH = 19,
  OP_RESERVE = 20,
  OP_UNRESERVE = 21,
  OP_MAP = 22,
  OP_UNMAP = 23,
  OP_ORDER = 24,
  OP_TOUCH = 25,
  OP_LINK = 26,
  OP_LIMIT = 27,
  OP_MISUSE = 28,
  OP_TEXEL = 29,
};

// The statuses.
enum dev_status {
  DEV_DONE = 0,
  DEV_INVALID = 1, // a value makes no sense
  DEV_NO_MEMORY = 2, // the device's memory is used up
  DEV_NOT_FOUND = 3, // no allocation, module, kernel or event is called that
  DEV_BAD_MODULE = 4, // the file cannot be read, or has no code that can be simulated
  DEV_BAD_LAUNCH = 5, // sizes or arguments are not what the kernel demands
  DEV_FAULTED = 6, // a kernel accessed memory that it may not
  DEV_ASSERTED = 7, // a kernel's assertion failed
  DEV_TRAPPED = 8, // a kernel trapped, or executed what is no instruction
  DEV_UNSUPPORTED = 9, // the device does not do that
  DEV_FAILED = 10, // a launch could not be run for another reason
  DEV_WRONG_PROTOCOL = 11, // the client speaks another version
  DEV_GONE = 100, // there is no service: clients say so to themselves
};

// What a service wants to know of its clients, by bits, and the kinds of misuse.
enum dev_check {
  CHECK_ORDER = 1, // what orders works, and when the program itself touches memory
  CHECK_API = 2, // misuse of the API
  CHECK_HOST = 4, // what the program itself accesses
  CHECK_LEAK = 8, // what it leaves behind
};

// What wait waits for.
enum dev_wait {
  WAIT_ALL = 0,
  WAIT_STREAM = 1,
  WAIT_EVENT = 2,
  WAIT_NOTHING = 3,
  WAIT_TICKET = 4,
};

// What is said of the order of work, to a service that wants to know: of a stream, of another, or of the
// host.
enum dev_order {
  ORDER_LOOSE = 0, // what the stream does is in no order by itself
  ORDER_BARRIER = 1, // what it did so far comes before what it does
  ORDER_STREAM = 2, // it comes after what another did up to a ticket
  ORDER_WORK = 3, // after the work with a ticket
  ORDER_NEXT = 4, // the next that it does alone
  HOST_STREAM = 5, // the host has waited for what the stream did up to a ticket
  HOST_WORK = 6, // for the work with a ticket
  HOST_ALL = 7, // for everything
  ORDER_APART = 8, // the stream comes after what the host has waited for only as it is said
  ORDER_SEEN = 9, // asks whether the host has waited for the work with a ticket
};
