ALTER TABLE "tokens" ADD COLUMN "tokens_per_minute" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "tokens_per_minute" bigint DEFAULT 0 NOT NULL;