/** Small files that a browser shows and plays. */
import { film, picture, song } from '../../src/commands/demo/files.ts'

export const PICTURE = picture(1, 4)
export const SOUND = song(1)
export const FILM = film()
