/** How long the service waits, but in `--dev`, where options change it. */
export const defaultTimes = {
  queueIdleSeconds: 600,
  // With their jitter below the 50 seconds after which proxies give up waiting.
  heartbeatSeconds: 45,
  longpollSeconds: 48,
} as const;
