/** Small files that a browser shows and plays. */
import { FILM as film } from '../../src/commands/demo/film.ts'
import { fourOf, png, wav } from '../../src/commands/demo/media.ts'

export const PICTURE = png(64, fourOf())
export const SOUND = wav()
export const FILM = Uint8Array.from(Buffer.from(film, 'base64'))
