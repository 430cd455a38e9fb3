/** The only reader of process.env, but for the restart before it: the settings of the process, validated once. */
import { totalmem } from 'node:os'
import { z } from 'zod'
import { isRange } from './pure/ip.ts'
import { readPairs } from './pure/pairs.ts'

const ranges = z
  .string()
  .default('')
  .transform(text =>
    text
      .split(',')
      .map(part => part.trim())
      .filter(Boolean),
  )
  .refine(parts => parts.every(isRange), 'must be addresses or ranges such as 10.0.0.0/8, comma-separated')
const sentinels = /^redis-sentinel:\/\/(?:[^@/]*@)?[\w.:[\]-]+(?:,[\w.:[\]-]+)*\/[^/?\s]+(?:\/\d+)?$/
const isRedisAddress = (text: string) =>
  sentinels.test(text) || (/^rediss?:\/\/./.test(text) && Boolean(URL.parse(text)?.hostname))
const limit = (count: number) => z.coerce.number().int().min(0).default(count)
/** An http(s) address without a slash at its end. */
const site = (address: string) =>
  z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .transform(url => url.replace(/\/+$/, ''))
    .default(address)

/** `name=value` pairs, comma-separated, values percent-encoded, as in OpenTelemetry's variables. */
const pairs = z
  .string()
  .default('')
  .transform((text, context) => {
    const read = readPairs(text)
    if (!read) context.addIssue('must be name=value pairs, comma-separated, with percent-encoded values')
    return read ?? {}
  })
const collector = z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional()
const timeout_ms = z.coerce.number().int().positive()

const MEGABYTE = 1_048_576
/** A quarter of the memory that the machine or its container has. */
const usualBodyBudgetMb = () => Math.min(256, Math.max(1, Math.floor(memoryBytes() / 4 / MEGABYTE)))
const memoryBytes = () => process.constrainedMemory() || totalmem()

const Env = z
  .object({
    NODE_ENV: z.string().default('production'),
    PORT: z.coerce.number().int().min(0).max(65535).default(3000),
    HOST: z.string().default('0.0.0.0'),
    /** What this node serves of an installation with several of them. */
    ROLE: z.enum(['all', 'relay', 'console', 'jobs']).default('all'),
    /** Seconds for which `/readyz` says 503 before the port closes, so that balancers find another node. */
    DRAIN_SECONDS: z.coerce.number().min(0).max(600).default(0),
    DATA_DIR: z.string().min(1).default('./data'),
    DATABASE_URL: z
      .string()
      .regex(/^(file:|postgres(ql)?:\/\/)./, 'must start with file: or postgres://')
      .optional(),
    /** Connections to PostgreSQL. */
    DB_POOL: z.coerce.number().int().min(2).max(1000).default(10),
    /** Named prepared statements belong to a connection: a pooler that gives each transaction another one may lose them. */
    DB_PREPARE: z
      .enum(['true', 'false'])
      .default('true')
      .transform(text => text === 'true'),
    SECRET_KEY: z.string().min(16, 'must have at least 16 characters').optional(),
    /** The secret of `tollgate rotate-key`. */
    NEW_SECRET_KEY: z.string().min(16, 'must have at least 16 characters').optional(),
    /** Redis, Valkey or a compatible server, by which several nodes keep limits and tell each other of changes. */
    REDIS_URL: z
      .string()
      .refine(
        isRedisAddress,
        'must be redis://host:6379, rediss://host:6379 or redis-sentinel://host:26379,host:26379/name',
      )
      .optional(),
    /** What the setup of a new installation asks for; without it the first visitor owns the installation. */
    SETUP_TOKEN: z.string().optional(),
    TRUSTED_PROXIES: ranges,
    /** Opens /metrics to requests with the token, or from these addresses. */
    METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
    METRICS_ALLOW: ranges,
    /** Share of the calls that have a line in the access log. */
    ACCESS_LOG: z.coerce.number().min(0).max(1).default(0),
    /** Traces, by OpenTelemetry's own variables; those with TRACES in their names come first. */
    OTEL_SDK_DISABLED: z
      .string()
      .default('')
      .transform(text => text.toLowerCase() === 'true'),
    OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none']).default('otlp'),
    OTEL_SERVICE_NAME: z.string().optional(),
    OTEL_RESOURCE_ATTRIBUTES: pairs,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector,
    OTEL_EXPORTER_OTLP_HEADERS: pairs,
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: pairs,
    OTEL_EXPORTER_OTLP_TIMEOUT: timeout_ms.default(10_000),
    OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: timeout_ms.optional(),
    OTEL_TRACES_SAMPLER: z
      .enum([
        ...(['always_on', 'always_off', 'traceidratio'] as const),
        ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
      ])
      .default('parentbased_always_on'),
    /** Milliseconds for which ended spans wait for others. */
    OTEL_BSP_SCHEDULE_DELAY: timeout_ms.default(5000),
    OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
    /** Whether prompts and answers stand in spans. */
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: z
      .string()
      .default('')
      .transform(text => ['true', 'span_only', 'span_and_event'].includes(text.toLowerCase())),
    OUTBOUND_ALLOW: ranges,
    /** The gateway that all API calls pass to, while they are priced here and not charged. */
    SHADOW_OF: z
      .url({ protocol: /^https?$/, error: 'must be an http or https address' })
      .refine(url => !/[?#]|\/\/[^/]*@/.test(url), 'must be an address without a user, a query and a fragment')
      .transform(url => url.replace(/\/+$/, ''))
      .optional(),
    /** Where tokens of the human check are verified. */
    TURNSTILE_VERIFY_URL: z
      .string()
      .regex(/^https?:\/\/./, 'must start with https:// or http://')
      .default('https://challenges.cloudflare.com/turnstile/v0/siteverify'),
    /** Where copies of the results of tasks are kept: a folder, or a bucket and a prefix in it. */
    RESULTS_URL: z
      .string()
      .regex(/^(?:s3:\/\/[\w.-]+(?:\/.*)?|(?!\w+:\/\/).+)$/, 'must be a folder or s3://bucket/prefix')
      .optional(),
    /** Where the database is backed up to while it is used: a folder, or a bucket and a prefix in it. */
    BACKUP_URL: z
      .string()
      .regex(/^(?:s3:\/\/[\w.-]+(?:\/.*)?|(?!\w+:\/\/).+)$/, 'must be a folder or s3://bucket/prefix')
      .optional(),
    BACKUP_PASSPHRASE: z.string().min(12, 'must have at least 12 characters').optional(),
    /** Days of which any second can be restored. */
    BACKUP_KEEP: z.coerce.number().int().min(1).max(3650).default(7),
    S3_ENDPOINT: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
    S3_REGION: z.string().optional(),
    S3_ACCESS_KEY_ID: z.string().optional(),
    S3_SECRET_ACCESS_KEY: z.string().optional(),
    LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
    LOG_FORMAT: z.enum(['text', 'json']).default('text'),
    DURABILITY: z.enum(['normal', 'full']).default('normal'),
    MAX_REQUEST_MB: z.coerce.number().positive().max(1024).default(64),
    /** Request bodies that are held in memory at one time, of all calls together. */
    BODY_BUDGET_MB: z.coerce.number().positive().default(usualBodyBudgetMb),
    /** Login providers that are not at their public address, such as a GitHub Enterprise Server. */
    GITHUB_URL: site('https://github.com'),
    GITHUB_API_URL: site('https://api.github.com'),
    LINUX_DO_URL: site('https://connect.linux.do'),
    /** Seconds until the head of an upstream's response, which without streaming comes when it is complete. */
    UPSTREAM_TIMEOUT: z.coerce.number().positive().default(600),
    /** Seconds without a byte after which a stream is broken off. */
    STREAM_IDLE_TIMEOUT: z.coerce.number().positive().default(300),
    /** Seconds after which a client is cut off that takes nothing of what waits for it. */
    READER_TIMEOUT: z.coerce.number().positive().default(30),
    GLOBAL_API_RATE_LIMIT: limit(180),
    GLOBAL_API_RATE_LIMIT_DURATION: limit(180),
    GLOBAL_WEB_RATE_LIMIT: limit(600),
    GLOBAL_WEB_RATE_LIMIT_DURATION: limit(180),
    CRITICAL_RATE_LIMIT: limit(20),
    CRITICAL_RATE_LIMIT_DURATION: limit(1200),
  })
  .transform(env => ({ ...env, DATABASE_URL: env.DATABASE_URL ?? `file:${env.DATA_DIR}/tollgate.db` }))
  .refine(env => env.ROLE === 'all' || !env.DATABASE_URL.startsWith('file:'), {
    path: ['ROLE'],
    error: 'relay, console and jobs need a DATABASE_URL of PostgreSQL: SQLite has one process, which does all',
  })

export type Env = z.infer<typeof Env>

/** @returns the settings, or one line about the first invalid one. Empty variables count as absent. */
function readEnv(source: Record<string, string | undefined>): Env | { problem: string } {
  const present = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim() !== ''))
  const read = Env.safeParse(present)
  if (read.success) return read.data
  const issue = read.error.issues[0]!
  return { problem: `${issue.path.join('.')}: ${issue.message}` }
}

function readOrStop(): Env {
  const read = readEnv(process.env)
  if (!('problem' in read)) return read
  process.stderr.write(`tollgate: bad setting ${read.problem}\n`)
  process.exit(78)
}

/** React reads it too, and is much faster in production mode. */
process.env.NODE_ENV ??= 'production'

export const env = readOrStop()

/** The raw variables, for a child process. */
export const environment = () => process.env as Record<string, string>
