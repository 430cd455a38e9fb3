/** Long work in steps: between two of them, whatever else is due runs. */
export const nextTurn = (): Promise<void> => new Promise(setImmediate)
