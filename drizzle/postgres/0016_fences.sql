-- compatible since 0015_changes
ALTER TABLE "jobs" ADD COLUMN "fence" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "missed_time" bigint DEFAULT 0 NOT NULL;