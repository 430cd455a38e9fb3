ALTER TABLE "redemptions" ADD COLUMN "key_tail" text;--> statement-breakpoint
CREATE INDEX "redemptions_tail" ON "redemptions" USING btree ("key_tail");