/** Upstreams that make videos: a declaration says what its models can do, and how it is asked in the maker's words. */
import type { ApiError } from '../../formats/canonical/chat.ts'
import { isObject } from '../../formats/json/checks.ts'
import type { VideoCapabilities } from '../../formats/videos/capabilities.ts'
import { isTaskId, videos } from '../../formats/videos/index.ts'
import type { VideoRequest } from '../../formats/videos/request.ts'
import { taskState, type VideoResult, type VideoState } from '../../formats/videos/states.ts'
import type { Json } from '../../pure/json.ts'
import type { UpstreamApi } from './provider.ts'
import type { Quirks } from './quirks.ts'
import type { SideRequest, Steps } from './steps.ts'
import type { TaskApi } from './task-api.ts'
import type { UpstreamConfig } from './upstream-config.ts'

export interface VideoUpstream extends Pick<UpstreamApi, 'headers'>, Pick<Quirks, 'fetches_no_urls'> {
  /** What its models can do; the first that matches counts. */
  capabilities: readonly VideoCapabilities[]
  /** Where a request goes. @param model the upstream's name for it */
  submitUrl(config: UpstreamConfig, model: string, request: VideoRequest): string
  /** The maker's body of a request that its capabilities have completed. Every field that is priced is in it. */
  write(request: VideoRequest): Json
  /** @returns the id by which the task is asked for; undefined where the answer has none */
  readId(answer: Json, request: VideoRequest): unknown
  ask(id: string, config: UpstreamConfig): SideRequest
  /** @returns undefined for what is no answer, or one about another task */
  readState(answer: Json, id: string): VideoState | undefined
  readError(body: unknown, status?: number): ApiError | undefined
  /** Whether an error says that the task is unknown: one of status 404 unless declared. */
  isUnknown?(status: number, body: unknown): boolean
  /** Where the file is; the address of the result unless declared. */
  locate?(video: VideoResult, source: FileSource): FileLocation | Steps<FileLocation>
  /** Asks the maker to delete the video, or to cancel it; absent where it keeps its videos. */
  remove?(id: string, config: UpstreamConfig): SideRequest
  /** Finished videos can be made anew by another prompt. */
  remixes?: true
}

export interface FileSource {
  /** The upstream's id of the task. */
  id: string
  config: UpstreamConfig
  variant: FileVariant
}

export type FileVariant = 'video' | 'thumbnail' | 'spritesheet'

export interface FileLocation {
  /** Absent where there is no such file. */
  url: string | undefined
  /** The maker hands the file out for the key alone that made it. */
  with_key?: boolean
  /** The address is the maker's, at whatever host: the key goes there. */
  is_of_maker?: boolean
}

/** An API that makes videos. */
export interface VideoApi extends UpstreamApi {
  video: VideoUpstream
  task: TaskApi
}

const UNKNOWN_STATUS = 404
/** Asked for where there is no task: the answer shows whether the key is valid. */
const NO_TASK = 'none'

export function videoApi(video: VideoUpstream): VideoApi {
  const { submitUrl, write, readId, readState, readError, ask, isUnknown = byStatus } = video
  return {
    video,
    format: videos(readError),
    headers: video.headers,
    url: (config, model, _, body) => submitUrl(config, model, requestIn(body)),
    rewriteRequest: body => write(requestIn(body)),
    rewriteResponse(answer, request) {
      if (readError(answer)) return answer
      const id = readId(answer, requestIn(request))
      return isTaskId(id) ? { id } : answer
    },
    task: {
      platform: 'video',
      ids_max: 1,
      ask: ([id = NO_TASK], config) => ask(id, config),
      readStates(body, [id = NO_TASK]) {
        if (!isObject(body)) return undefined
        // A failed video has an error too.
        const state = readState(body, id)
        if (!state && readError(body)) return undefined
        return new Map([[id, taskState(state ?? { status: 'UNKNOWN' })]])
      },
      isUnknown,
    },
  }
}

const byStatus = (status: number) => status === UNKNOWN_STATUS

const requestIn = (body: Json) => body as unknown as VideoRequest

/** The address of the result. */
export function usualLocation(
  { url, cover_url, needs_key: with_key }: VideoResult,
  { variant }: FileSource,
): FileLocation {
  if (variant === 'spritesheet') return { url: undefined }
  return { url: variant === 'thumbnail' ? cover_url : url, with_key }
}
