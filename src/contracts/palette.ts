/** Address of the palette. */
export const PALETTE_PATH = '/palette'
