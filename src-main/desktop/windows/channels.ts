import type { BridgeCalls, BridgeEvents } from '#preload/bridge.ts';

export const callChannel = (call: keyof BridgeCalls): string => `call:${call}`;
export const eventChannel = (event: keyof BridgeEvents): string => `event:${event}`;
