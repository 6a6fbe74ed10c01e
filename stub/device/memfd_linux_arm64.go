package device

const memfdCreate = 279
