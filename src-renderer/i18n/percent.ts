export const percent = (share: number): string => `${String(Math.round(share * 100))} %`;
