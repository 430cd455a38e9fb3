/** The media type of a picture, from the first bytes of the file, for those that every browser shows. */

/** @returns undefined for any other file */
export function imageTypeOf(bytes: Uint8Array): string | undefined {
  const signature = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (signature.startsWith('\x89PNG\r\n')) return 'image/png'
  if (signature.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (signature.startsWith('GIF8')) return 'image/gif'
  if (signature.startsWith('RIFF') && signature.startsWith('WEBP', 8)) return 'image/webp'
}
