import models from './models.json'

/** The models that a channel type is known to have. */
export const modelsOf = (type: number): string[] => (models as Record<string, string[]>)[type] ?? []
