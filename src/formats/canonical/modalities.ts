/** Kinds of content of a response. */
export const modalities = ['text', 'image', 'audio'] as const
export type Modality = (typeof modalities)[number]
