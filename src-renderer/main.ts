import { mount } from 'svelte';
import type { Bridge } from '../src-preload/bridge.ts';
import App from './app.svelte';

declare global {
  interface Window {
    /** Exposed by the preload script. */
    readonly bridge: Bridge;
  }
}

const target = document.querySelector('#app');
if (target === null) throw new Error('the page has no #app');
mount(App, { target, props: { bridge: window.bridge } });
