/** Names of files for upstreams that know a file by the ending of its name. */
const endings: Record<string, string> = {
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'audio/mpeg': 'mp3',
  'audio/x-wav': 'wav',
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'text/markdown': 'md',
  'text/plain': 'txt',
  'video/quicktime': 'mov',
}

/** @param media_type such as `image/png` */
export function endingOf(media_type: string): string {
  const type = media_type.toLowerCase().split(';')[0]!.trim()
  return endings[type] ?? /^[\w-]+\/([a-z\d]{1,8})$/.exec(type)?.[1] ?? 'bin'
}

/** @param name of the client; it keeps its own ending */
export function fileNameFor(name: string | undefined, media_type: string): string {
  const plain = name?.replace(/[/\\"\r\n]/g, '_')
  if (plain && /\.\w{1,8}$/.test(plain)) return plain
  return `${plain || 'file'}.${endingOf(media_type)}`
}
