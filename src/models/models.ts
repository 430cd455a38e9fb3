/** The known models of each channel type, from models.json. */
import models from './models.json'

/** @returns an empty list for a type without known models */
export const modelsOf = (type: number): string[] => (models as Record<string, string[]>)[type] ?? []
