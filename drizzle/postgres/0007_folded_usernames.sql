ALTER TABLE "users" ADD COLUMN "username_folded" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "username_twin" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "users_folded" ON "users" USING btree ("username_folded","username_twin");--> statement-breakpoint
CREATE INDEX "users_twins" ON "users" USING btree ("username_twin") WHERE "users"."username_twin" <> 0;