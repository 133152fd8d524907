export const wrong = [process.pid, Buffer.alloc(1), document.title];
