import type { Declaration } from '#service/webhooks/common/integration.ts';
import { link, md } from '#service/webhooks/common/markdown.ts';

/** The specification's sample integration: a greeting with the day's featured article. */
export const helloworld: Declaration = {
  name: 'helloworld',
  title: 'Hello World',
  about: 'A greeting with the featured article of the day: the smallest integration there is.',
  subject: 'anything',
  steps: [
    'Send {"featured_title": "…", "featured_url": "https://…"} to the address, with curl for example.',
    'The greeting is posted at once.',
  ],
  events: {
    message(payload) {
      const body = payload.object('');
      const article = link(body.text('featured_title'), body.text('featured_url'));
      return {
        topic: 'Hello World',
        content: md`Greetings from another program.\nFeatured today: ${article}.`,
      };
    },
  },
};
