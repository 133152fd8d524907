import type { Integration } from '../integration.ts';

/** The specification's sample integration: a greeting with the day's featured article. */
export const helloworld: Integration = {
  clientName: 'HelloworldWebhook',
  topic: 'Hello World',
  write(payload, { escape }) {
    const title = escape(payload.getString('featured_title'));
    const url = payload.getUrl('featured_url');
    return `Greetings from another program.\nFeatured today: [${title}](${url}).`;
  },
};
