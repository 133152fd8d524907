/**
 * What is made at its first use. Regular expressions of many Unicode properties take milliseconds and memory each, and most
 * processes that load them never meet a text that needs them.
 */
export function lazy<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}
