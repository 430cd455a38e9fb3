ALTER TABLE "budgets" ADD COLUMN "per_key" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "budgets" ADD COLUMN "rule_id" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "budgets" ADD COLUMN "key_hash" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "tokens" ADD COLUMN "concurrency_limit" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "budgets_rule" ON "budgets" USING btree ("rule_id","key_hash") WHERE "budgets"."key_hash" <> '';