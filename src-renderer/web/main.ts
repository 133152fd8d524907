import { mount } from 'svelte';
import App from '../app.svelte';
import { createWebBridge } from './bridge.ts';
import { loadParts } from './parts.ts';

const target = document.querySelector('#app');
if (target === null) throw new Error('the page has no #app');
mount(App, { target, props: { bridge: createWebBridge() } });
void loadParts();
