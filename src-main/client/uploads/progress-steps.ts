/** Told no more often than it can be seen. */
const SMALLEST_STEP = 0.005;

/** Tells shares from 0 to 1, ascending. */
export function inSteps(tell: (share: number) => void): (share: number) => void {
  let told = 0;
  return (share) => {
    if (share <= told || (share < 1 && share - told < SMALLEST_STEP)) return;
    told = Math.min(share, 1);
    tell(told);
  };
}
