/** A segment as bytes: size of a page, size of the database in pages, number of images, their page numbers, the images. */
const HEAD_BYTES = 12
const NUMBER_BYTES = 4

export interface PageImages {
  page_bytes: number
  /** Size of the database after it. */
  pages: number
  numbers: number[]
  images: Uint8Array
}

export function segmentOf({ page_bytes, pages, numbers, images }: PageImages): Buffer {
  const head = Buffer.alloc(HEAD_BYTES + numbers.length * NUMBER_BYTES)
  head.writeUInt32LE(page_bytes, 0)
  head.writeUInt32LE(pages, 4)
  head.writeUInt32LE(numbers.length, 8)
  for (const [at, number] of numbers.entries()) head.writeUInt32LE(number, HEAD_BYTES + at * NUMBER_BYTES)
  return Buffer.concat([head, images])
}

export function imagesIn(bytes: Uint8Array): PageImages {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = view.getUint32(8, true)
  const numbers = Array.from({ length: count }, (_, at) => view.getUint32(HEAD_BYTES + at * NUMBER_BYTES, true))
  return {
    page_bytes: view.getUint32(0, true),
    pages: view.getUint32(4, true),
    numbers,
    images: bytes.subarray(HEAD_BYTES + count * NUMBER_BYTES),
  }
}
