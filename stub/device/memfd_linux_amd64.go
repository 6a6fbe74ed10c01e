package device

const memfdCreate = 319
