/** The name that stands for no topic (API decisions 2.4). */
export const NO_TOPIC = '(no topic)';
