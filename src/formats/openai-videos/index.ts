/** Videos in OpenAI's form, and in the older one of gateways. https://platform.openai.com/docs/api-reference/videos (read 2026-11) */
import { writeError } from '../openai-chat/api-error.ts'
import { writeError as writePlainError } from '../suno/api-error.ts'
import { videoClient } from '../videos/index.ts'
import { readRequest } from './read-request.ts'

export const openAiVideos = videoClient('openai-videos', { readRequest, writeError })

/** Its errors are a code and a message. */
export const videoGenerations = videoClient('video-generations', { readRequest, writeError: writePlainError })
