/** Events about what people are doing right now (API decisions, section 8.2). */
export const presenceEvents = [] as const;
