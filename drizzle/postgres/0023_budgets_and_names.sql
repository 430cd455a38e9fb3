CREATE TABLE "github_names" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"name" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "budget_windows" ADD COLUMN "noticed" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "budgets" ADD COLUMN "pruned_until" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "github_names" ADD CONSTRAINT "github_names_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "github_names_name" ON "github_names" USING btree ("name");