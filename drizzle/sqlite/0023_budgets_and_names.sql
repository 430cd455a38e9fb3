CREATE TABLE `github_names` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `github_names_name` ON `github_names` (`name`);--> statement-breakpoint
ALTER TABLE `budget_windows` ADD `noticed` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `budgets` ADD `pruned_until` integer DEFAULT 0 NOT NULL;