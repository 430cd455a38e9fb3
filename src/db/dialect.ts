import { env } from '../env.ts'

/** Which engine this process runs on. Everything that differs between the two asks here. */
export const dialect: 'sqlite' | 'postgres' = env.DATABASE_URL.startsWith('postgres') ? 'postgres' : 'sqlite'
