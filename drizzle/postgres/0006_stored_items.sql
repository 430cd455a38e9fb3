CREATE TABLE "stored_items" (
	"id_hash" bigint PRIMARY KEY NOT NULL,
	"response_hash" text NOT NULL,
	"tokens" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "stored_objects" ADD COLUMN "group_hash" text DEFAULT '' NOT NULL;