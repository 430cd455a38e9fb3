/** Addresses of what a task has made: on this site, and signed, so that a page can show and play it. */
import type { Song, TaskFiles } from '../../../views/tasks/task.ts'
import type { TaskFile } from '../../contracts/task.ts'
import { fileAddressOf, filesOf, type TaskRow } from '../../domain/tasks/index.ts'
import { songsIn } from './results.ts'

/** Files whose bytes the maker alone knows have no address of their own. */
export function filesFor(task: Pick<TaskRow, 'task_id' | 'platform' | 'result'>): TaskFiles {
  const files = filesOf(task)
  const address = (name: string) => (files.some(file => file.name === name) ? fileAddressOf(task, name) : '')
  const ofKind = (kind: TaskFile['kind']) => files.filter(file => file.kind === kind).map(({ name }) => name)
  if (task.platform === 'suno') return { pictures: [], videos: [], songs: songsOf(task.result, address) }
  return {
    pictures: ofKind('image')
      .filter(name => name !== POSTER)
      .map(address),
    videos: ofKind('video').map(name => ({ src: address(name), poster: address(POSTER) })),
    songs: [],
  }
}

const POSTER = 'thumbnail'

const songsOf = (result: unknown, address: (name: string) => string): Song[] =>
  songsIn(result).map((song, at) => ({
    ...song,
    audio: address(`audio-${at}`),
    video: address(`video-${at}`),
    cover: address(`cover-${at}`),
  }))
