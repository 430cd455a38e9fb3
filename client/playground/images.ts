/** Pictures that go along with a message, read as data URLs. */

export const IMAGE_BYTES_MAX = 5 * 1024 * 1024
export const IMAGES_MAX = 6

/** Formats that models read. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

export type ImageFault = 'type' | 'size' | 'count'

/** @returns the pictures that fit, and why another one does not */
export async function readImages(files: File[], present: number): Promise<{ urls: string[]; fault?: ImageFault }> {
  const faults: ImageFault[] = []
  const fitting = files.filter(({ type, size }) => {
    const fault = !IMAGE_TYPES.includes(type) ? 'type' : size > IMAGE_BYTES_MAX ? 'size' : undefined
    if (fault) faults.push(fault)
    return !fault
  })
  const room = Math.max(IMAGES_MAX - present, 0)
  if (fitting.length > room) faults.push('count')
  return { urls: await Promise.all(fitting.slice(0, room).map(dataUrl)), fault: faults[0] }
}

function dataUrl(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const reader = new FileReader()
  reader.onload = () => resolve(String(reader.result))
  reader.onerror = () => reject(reader.error)
  reader.readAsDataURL(file)
  return promise
}
