import { mount } from 'svelte';
import type { Bridge, ExposedBridge } from '#preload/bridge.ts';
import App from './app.svelte';

declare global {
  interface Window {
    /** Exposed by the preload script. */
    readonly bridge: ExposedBridge;
  }
}

const reading = (exposed: ExposedBridge): Bridge => ({
  ...exposed,
  on: (event, listener) => exposed.on(event, (json) => listener(JSON.parse(json) as never)),
});

const target = document.querySelector('#app');
if (target === null) throw new Error('the page has no #app');
mount(App, { target, props: { bridge: reading(window.bridge) } });
