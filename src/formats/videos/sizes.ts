/** Sizes in pixels, and the resolution and ratio that makers know each by. */

interface Size {
  size: string
  resolution: string
  ratio: string
}

/** Landscape, or square: the other way round it is a size too. */
const landscape: [size: string, resolution: string, ratio: string][] = [
  ['640x360', '360p', '16:9'],
  ['832x480', '480p', '16:9'],
  ['848x480', '480p', '16:9'],
  ['854x480', '480p', '16:9'],
  ['624x624', '480p', '1:1'],
  ['720x480', '480p', '3:2'],
  ['960x540', '540p', '16:9'],
  ['1280x720', '720p', '16:9'],
  ['960x960', '720p', '1:1'],
  ['1088x832', '720p', '4:3'],
  ['1280x960', '960p', '4:3'],
  ['1366x768', '768p', '16:9'],
  ['1024x1024', '1024p', '1:1'],
  ['1792x1024', '1024p', '16:9'],
  ['1920x1080', '1080p', '16:9'],
  ['1440x1440', '1080p', '1:1'],
  ['1632x1248', '1080p', '4:3'],
  ['2048x1080', '1080p', '17:9'],
  ['2560x1440', '2k', '16:9'],
  ['3840x2160', '4k', '16:9'],
]

const turned = (pair: string, between: string) => pair.split(between).reverse().join(between)

const sizes: readonly Size[] = landscape.flatMap(([size, resolution, ratio]) => {
  const upright = { size: turned(size, 'x'), resolution, ratio: turned(ratio, ':') }
  return upright.size === size ? [upright] : [{ size, resolution, ratio }, upright]
})

const bySize = new Map(sizes.map(known => [known.size, known]))

/** @returns undefined for a size that no maker has */
export const sizeNamed = (size: string): Size | undefined => bySize.get(size)

/** The first of the sizes with this resolution and ratio, as far as they are named. */
export const sizeAmong = (among: readonly string[], { resolution, ratio }: Partial<Size>): string | undefined =>
  among.find(size => {
    const known = bySize.get(size)
    return (!resolution || known?.resolution === resolution) && (!ratio || known?.ratio === ratio)
  })

export const resolutions = ['360p', '480p', '512p', '540p', '720p', '768p', '960p', '1024p', '1080p', '2k', '4k']
export const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3', '21:9', '9:21', '17:9', 'adaptive']

/** Width × height of a video, for prices by tokens: of 16:9 where nothing is known of it. */
export function pixelsOf({ size, resolution = '720p', ratio }: Partial<Size>): number {
  const wanted = ratio && ratio !== 'adaptive' ? ratio : '16:9'
  const all = sizes.map(known => known.size)
  const found = size ?? sizeAmong(all, { resolution, ratio: wanted }) ?? sizeAmong(all, { resolution }) ?? '1280x720'
  const [width = 0, height = 0] = found.split('x').map(Number)
  return width * height
}
