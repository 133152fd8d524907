/** Lets others have their answers before a long piece of work goes on. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
