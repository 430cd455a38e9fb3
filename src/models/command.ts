/** What Cohere's models accept, by name. https://docs.cohere.com/docs/reasoning (read 2026-11) */

/** Other models refuse `thinking`. */
export const canThink = (model: string): boolean => /reasoning|command-a-plus/.test(model)
