/** Checks by setting, of those whose type allows more than the service takes. */
export type Checks<T> = { readonly [K in keyof T]?: (value: T[K]) => void };

/** @throws what the first check that fails throws, in their order */
export function checkEach<T extends object>(
  checks: Checks<T>,
  wanted: { readonly [K in keyof T]?: T[K] | undefined },
): void {
  for (const key of Object.keys(checks) as (keyof T)[]) {
    const value = wanted[key];
    // The check of a key takes the values of that key.
    if (value !== undefined) (checks[key] as ((value: unknown) => void) | undefined)?.(value);
  }
}
