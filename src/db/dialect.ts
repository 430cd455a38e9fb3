/** The choice between SQLite and PostgreSQL. */
import { env } from '../env.ts'

/** The database engine of this process. */
export const dialect: 'sqlite' | 'postgres' = env.DATABASE_URL.startsWith('postgres') ? 'postgres' : 'sqlite'
